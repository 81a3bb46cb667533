export type * from "./shells/author.ts";
