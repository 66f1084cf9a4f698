// Texts of keys, witnesses and protests at a table, in English; fetched with what signs.
export const en_keys = {
  "key.missing":
    "This browser has no key for your seat, so it cannot roll for you. Roll on the device that you sat down with; " +
    "or ask a referee for a “link for another device” of your seat, and open it here.",
  "key.missing.title": "This browser cannot sign for you",
  "key.missing.mine":
    "This browser has no key for your seat, so it cannot roll for you. Roll on the device that you sat down with, " +
    "or let it make a “link for another device”; if it is lost, another referee can.",
  "key.left_out":
    "The server did not write your key into the log, so nobody could prove your rolls. This browser rolls nothing " +
    "unsigned. Ask whoever runs the server, or sit down once more.",
  "protest.title": "What your browser remembers is not what the log says",
  "protest.about": "Tell the others at the table. Whoever runs the server can explain it, or cannot.",
  "protest.unsigned":
    "Event {n} is in your name, but this browser never signed it. If you opened a link for your seat in another " +
    "browser too, it may be that one.",
  "protest.vanished": "Your roll was answered with event {n}, but it is not there.",
  "protest.rewritten":
    "This browser had seen event {n}, and the log has another in its place, or ends before it: it was taken back or " +
    "rewritten.",
  "protest.passed": "Your device told its number as a witness, but event {n} says that it was silent.",
  "protest.replaced": "The seal for your next roll was replaced in event {n} without a roll of yours.",
  "protest.seated":
    "Event {n} lets another device sign for you, and none of your own asked for it. A referee may do so for " +
    "somebody who lost their key; if you did not, ask who did it.",
  "protest.seen": "I have seen this",
} as const;
