import type { Cause } from "@capstan/schema";
import { invalidContent } from "./causes.ts";
import { textsIn } from "./texts.ts";

/** Every text with the character NUL, which ends a line of a shell, a path and an argument wherever a machine meets it. */
export const nulCauses = (value: unknown, field: string): readonly Cause[] =>
  textsIn(value, field).flatMap(([place, text]) =>
    text.includes("\0") ? [invalidContent(place, "must not contain NUL; put binary data into a Secret")] : [],
  );
