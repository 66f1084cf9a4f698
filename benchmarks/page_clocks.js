// Clocks that run in the page itself: from a click to dice, from a step to its odds, from the address to the feed.
globalThis.clocks = (() => {
  const rest = (time = 0) => new Promise((done) => setTimeout(done, time));
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  /** From each click until the browser has drawn a frame with the dice in it. */
  const dice = async (clicks) => {
    const throws = () => document.querySelectorAll(".roll-card .tray-throw").length;
    const times = [];
    for (let n = 0; n < clicks; n++) {
      const before = throws();
      const start = performance.now();
      document.querySelector(".roll-button").click();
      while (throws() === before) await drawn();
      times.push(performance.now() - start);
      await rest(400);
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
      do await rest(); while (waits());
      times.push(performance.now() - start);
      await rest(30);
    }
    return times;
  };

  /** From the beginning of the page until the feed is there. */
  const feed = async () => {
    while (!document.querySelector(".feed-item")) await rest();
    return performance.now();
  };
  return { dice, odds, feed };
})();
