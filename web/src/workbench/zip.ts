// A folder as one file: the plainest form of a zip, in which nothing is packed.

interface File {
  readonly path: string;
  readonly content: string;
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const checksum = (bytes: Uint8Array): number =>
  ~bytes.reduce((sum, byte) => CRC[(sum ^ byte) & 255]! ^ (sum >>> 8), -1) >>> 0;

/** Numbers of two or four bytes, lowest first. */
function numbers(...all: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    all.flatMap(([size, value]) => Array.from({ length: size }, (_, n) => (value >>> (8 * n)) & 255)),
  );
}

const UTF8 = 0x0800;
const DAY = 0x21; // the first that a zip can name: what is made from the same text is the same file

export function zip(folder: string, files: readonly File[]): Blob {
  const text = new TextEncoder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const list: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  const size = (all: readonly Uint8Array[]): number => all.reduce((sum, one) => sum + one.length, 0);
  for (const { path, content } of files) {
    const name = text.encode(`${folder}/${path}`);
    const bytes = text.encode(content);
    const about = [
      [2, 20],
      [2, UTF8],
      [2, 0],
      [2, 0],
      [2, DAY],
      [4, checksum(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, name.length],
      [2, 0],
    ] as const;
    const local = [numbers([4, 0x04034b50], ...about), name, bytes];
    list.push(numbers([4, 0x02014b50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name);
    parts.push(...local);
    at += size(local);
  }
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, size(list)],
    [4, at],
    [2, 0],
  );
  return new Blob([...parts, ...list, end], { type: "application/zip" });
}
