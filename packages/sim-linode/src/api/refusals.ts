import { invalid, Refusal } from "@capstan/simulation";

/** The documented answer while an instance or its host does something else. */
export const busy = (): Refusal => new Refusal(400, "Linode busy.");

/** Returns the API's refusal of an address, range or name that is in use. */
export const inUse = (what: "address" | "range", field: string): Refusal => invalid(`The ${what} is in use`, field);
