// Clocks that run in the page itself: from a click to dice, from a step to its odds, from the address to the feed.
globalThis.clocks = (() => {
  const rest = (time = 0) => new Promise((done) => setTimeout(done, time));
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  /** From each click until the browser has drawn a frame with the dice in it. */
  const dice = async (clicks) => {
    // The newest roll with dice stands on the stage, called by its number.
    const newest = () => document.querySelector(".stage-pane .roll-card:has(.tray-throw) h2")?.id;
    const times = [];
    for (let n = 0; n < clicks; n++) {
      const before = newest();
      const start = performance.now();
      document.querySelector(".roll-button").click();
      while (newest() === before) {
        await drawn();
        if (performance.now() - start > 10_000)
          throw new Error(`no dice came: ${document.querySelector(".toast")?.innerText}`);
      }
      times.push(performance.now() - start);
      // A table has room for so many open rolls only: what waits for a choice is kept.
      for (let wait = 0; wait < 8 || document.querySelector(".decision"); wait++) {
        await rest(50);
        document.querySelector(".decision .option:not([aria-disabled=true])")?.click();
      }
    }
    return times;
  };

  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const slide = (slider, value) => {
    setValue.call(slider, value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const stepsOf = (slider, taps) =>
    slider
      ? Array.from({ length: slider.max - slider.min + 1 }, (_, n) => () => slide(slider, Number(slider.min) + n))
      : Array.from(taps.querySelectorAll("input"), (_, n) => () => taps.querySelectorAll("input")[n].click());

  /** From each step of the main control until its odds are shown. */
  const odds = async () => {
    const waits = () => document.querySelector(".chance")?.dataset.waits !== undefined;
    const slider = document.querySelector(".builder input[type=range]");
    slider?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    const times = [];
    for (const step of stepsOf(slider, document.querySelector(".builder .taps-row, .builder .seg"))) {
      const start = performance.now();
      step();
      do await rest();
      while (waits());
      times.push(performance.now() - start);
      await rest(30);
    }
    return times;
  };

  /** How long each frame takes while dice roll. */
  const frames = async (seconds) => {
    document.querySelector(".roll-button").click();
    while (!document.querySelector(".play .die, canvas")) await drawn();
    const times = [];
    const end = performance.now() + 1000 * seconds;
    for (let before = performance.now(); before < end; ) {
      const now = await new Promise(requestAnimationFrame);
      times.push(now - before);
      before = now;
    }
    return times.slice(1);
  };

  /** From the beginning of the page until the feed is there. */
  const feed = async () => {
    while (!document.querySelector(".feed-item")) await rest();
    return performance.now();
  };
  return { dice, odds, feed, frames };
})();
