// A screenshot on a palette: the box of colours with the widest spread is cut at its middle pixel until there are 256.
async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
        const colour = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const part = (colour, shift) => (colour >> shift) & 255;
    const boxed = (colours) => {
        let widest = { spread: -1, shift: 0 };
        for (const shift of [16, 8, 0]) {
            const values = colours.map(([colour]) => part(colour, shift));
            const spread = values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
            if (spread > widest.spread) widest = { spread, shift };
        }
        const size = colours.reduce((sum, [, count]) => sum + count, 0);
        return { colours, size, ...widest };
    };
    const boxes = [boxed([...counts])];
    while (boxes.length < 256) {
        const worth = (box) => (box.colours.length > 1 ? box.spread * Math.sqrt(box.size) : -1);
        const next = boxes.reduce((best, box) => (worth(box) > worth(best) ? box : best));
        if (worth(next) < 0) break;
        const sorted = next.colours.sort((a, b) => part(a[0], next.shift) - part(b[0], next.shift));
        let cut = 0;
        for (let seen = 0; cut < sorted.length - 1 && seen < next.size / 2; cut++) seen += sorted[cut][1];
        cut = Math.min(Math.max(cut, 1), sorted.length - 1);
        boxes.splice(boxes.indexOf(next), 1, boxed(sorted.slice(0, cut)), boxed(sorted.slice(cut)));
    }
    const place = new Map();
    const palette = boxes.flatMap(({ colours, size }, n) => {
        for (const [colour] of colours) place.set(colour, n);
        return [16, 8, 0].map((shift) => Math.round(
            colours.reduce((sum, [colour, count]) => sum + part(colour, shift) * count, 0) / size));
    });
    let indices = "";
    for (let i = 0; i < data.length; i += 4)
        indices += String.fromCharCode(place.get((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]));
    return [image.width, image.height, palette, btoa(indices)];
}
