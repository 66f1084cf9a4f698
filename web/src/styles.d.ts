// Style sheets are imported for their effect alone.
declare module "*.css";

/** Made from the files beside `i18n/index.ts` when the page is built. */
declare module "i18n:languages" {
  export const others: Record<string, { name: string; load: () => Promise<import("./i18n").Dictionary> }>;
}
