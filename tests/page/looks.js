// How a page looks, measured in it: what stands past an edge, is cut off, is too small to hit, or moves.
globalThis.looks = (() => {
  const hidden = ".unseen, .skip, [aria-hidden=true]";
  const box = (one) => one.getBoundingClientRect();
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && box(one).width > 1 && !one.closest(hidden);
  const inFront = (selector) =>
    [...(document.querySelector("dialog[open]") ?? document.body).querySelectorAll(selector)].filter(seen);
  const said = (one) => (one.getAttribute("aria-label") ?? one.innerText ?? "").trim().slice(0, 40);
  const named = (one) => `${one.tagName.toLowerCase()}.${one.className} “${said(one)}”`;

  // A row that scrolls by itself may be longer than the screen; a whole screen may not.
  const screens = "main, dialog, .pane, .inside, [class$=scroll]";
  const canBeReached = (one) => {
    for (let around = one.parentElement; around; around = around.parentElement)
      if (/auto|scroll/.test(getComputedStyle(around).overflowX) && !around.matches(screens))
        return box(around).right <= innerWidth + 1;
    return false;
  };
  const pastTheEdge = () => {
    const out = inFront("button, a, input, select, summary, h1, h2, h3, p, dt, dd, label").filter(
      (one) => (box(one).right > innerWidth + 1 || box(one).left < -1) && !canBeReached(one),
    );
    return [
      ...(document.scrollingElement.scrollWidth > innerWidth + 1 ? ["the page scrolls sideways"] : []),
      ...out.map(named),
    ];
  };

  const cutOff = () =>
    inFront("button, a, summary")
      .filter((one) => {
        const { overflow, textOverflow } = getComputedStyle(one);
        if (overflow === "visible" || textOverflow.includes("ellipsis")) return false;
        return one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 2;
      })
      .map(named);

  const main = ".button.main, .roll-button, .tab, .option, .top-link, .brand, .sheet-tab, .drop, .game-choice";
  const targets =
    "button, a[href], select, summary, label:has(input), input:not([type=radio], [type=checkbox], [type=file])";
  const smallTargets = () =>
    inFront(targets)
      .filter((one) => getComputedStyle(one).display !== "inline")
      .flatMap((one) => {
        const { width, height } = box(one);
        const least = one.matches(main) ? 44 : 24;
        return Math.min(width, height) < least - 0.5
          ? [`${named(one)} ${Math.round(width)}×${Math.round(height)}`]
          : [];
      });

  const moving = () => document.getAnimations().map((one) => one.animationName ?? one.transitionProperty);

  /** Everything that moves from now on, frame by frame. */
  const watch = () => {
    const moved = [];
    const look = () => {
      moved.push(...moving());
      requestAnimationFrame(look);
    };
    look();
    return moved;
  };
  return { pastTheEdge, cutOff, smallTargets, moving, watch };
})();
