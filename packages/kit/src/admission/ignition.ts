import type { Cause } from "@capstan/schema";
import type { Translation } from "../ignition/butane.ts";
import { forbidden, invalidContent } from "./causes.ts";

/** Files that Ignition cannot write: it takes none that are packed. */
export const packedFileCauses = (
  files: readonly { readonly encoding?: string | undefined }[],
  field: string,
): readonly Cause[] =>
  files.flatMap(({ encoding = "" }, index) =>
    encoding.startsWith("gz")
      ? [forbidden(`${field}[${index}].encoding`, `Ignition does not support ${encoding}; use base64`)]
      : [],
  );

/** Returns the causes why a config that extends a machine's is invalid; `strict` includes likely mistakes. `form` is the required format. */
export const translationCauses = (
  { problems, warnings }: Pick<Translation, "problems" | "warnings">,
  field: string,
  { form, strict }: { readonly form: string; readonly strict: boolean },
): readonly Cause[] =>
  [...problems, ...(strict ? warnings : [])].map((problem) =>
    invalidContent(field, `must be ${form}: ${`${problem.field} ${problem.message}`.trim()}`),
  );
