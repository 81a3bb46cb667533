import { Refusal } from "@capstan/simulation";

/** The documented answer while an instance or its host does something else. */
export const busy = (): Refusal => new Refusal(400, "Linode busy.");
