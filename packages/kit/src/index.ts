export { defineProvider } from "./provider.ts";
export type * from "./shells/author.ts";
