// Style sheets are imported for their effect alone.
declare module "*.css";

/** Made from the files beside `words/index.ts` when the page is built. */
declare module "words:languages" {
  export const others: Record<string, { name: string; load: () => Promise<import("./words").Dictionary> }>;
}
