import { invalid, Refusal } from "@capstan/simulation";

/** The documented answer while an instance or its host does something else. */
export const busy = (): Refusal => new Refusal(400, "Linode busy.");

/** What the API answers for an address, a range or a name that someone has. */
export const inUse = (what: "address" | "range", field: string): Refusal => invalid(`The ${what} is in use`, field);
