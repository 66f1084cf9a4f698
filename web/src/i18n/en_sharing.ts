// Texts of the menu of a roll, in English; fetched with it.
export const en_sharing = {
  "roll.share": "Share, with odds and a link",
  "roll.picture": "Save as a picture",
  "roll.copy": "Copy as text",
  "roll.undo": "Undo with its effects",
} as const;
