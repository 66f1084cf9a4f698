// Where the feed stands: at its end, with the dice of the newest card in sight.

const MARGIN = 24;

/** Shows the end and says where that is; of a card taller than the feed its top, or as much as keeps the choice in sight. */
export function toEnd(box: HTMLElement, how: ScrollBehavior = "instant"): number {
  const card = box.querySelector<HTMLElement>(".feed > .feed-item:last-child > .roll-card");
  const end = box.scrollHeight - box.clientHeight;
  // Whoever has read on within a tall card is left there.
  const top = card && card.offsetHeight + MARGIN > box.clientHeight ? Math.max(box.scrollTop, Math.min(end, within(box, card))) : end;
  if (Math.abs(box.scrollTop - top) >= 1) box.scrollTo({ top, behavior: how });
  return top;
}

/** The top of a card; further down only where the choice would be out of sight, and never beyond the last dice. */
function within(box: HTMLElement, card: HTMLElement): number {
  const lift = box.scrollTop - box.getBoundingClientRect().top;
  const at = (one: Element): DOMRect => one.getBoundingClientRect();
  const head = at(card).top + lift - MARGIN / 2;
  const dice = [...card.querySelectorAll(".tray-throw")].at(-1);
  const choices = card.querySelector(".options, .face-buttons");
  if (!dice || !choices) return head;
  const seen = at(choices).bottom + lift + MARGIN / 2 - box.clientHeight;
  return Math.max(head, Math.min(seen, at(dice).top + lift - MARGIN / 2));
}
