// Lists in which the arrow keys move and Tab goes on: one stop for the whole list.
export function rove(event: KeyboardEvent, selector: string): void {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  const step = steps[event.key];
  const list = event.currentTarget as HTMLElement;
  const within = (event.target as HTMLElement).closest<HTMLElement>(selector);
  if (step === undefined || !within || event.target !== within) return;
  const all = [...list.querySelectorAll<HTMLElement>(selector)];
  const to = all[Math.max(0, Math.min(all.length - 1, all.indexOf(within) + step))];
  if (!to) return;
  event.preventDefault();
  for (const one of all) one.tabIndex = one === to ? 0 : -1;
  to.focus();
  to.scrollIntoView({ block: "nearest" });
}
