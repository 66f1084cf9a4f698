// Texts of a stream overlay that cannot show a table, in English.
export const en_overlay = {
  "overlay.shut":
    "This overlay shows no table: its link does not lead to one any more. The referee finds a new one under “Links " +
    "and seats”.",
  "overlay.spectators":
    "An overlay takes only the link for spectators, which shows no secrets. The referee finds it under “Links and " +
    "seats”.",
} as const;
