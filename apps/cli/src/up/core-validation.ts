import type { ExtensionFactory } from "@capstan/apiserver";
import { StatusError } from "@capstan/apiserver";
import { coreVersion } from "@capstan/contract/wire";
import { coreConverters, validateObject } from "@capstan/core";
import { apiVersionOf, type Cause, type KubeObject, type Resource } from "@capstan/schema";

/** Versions of references are not looked at, so any will do. */
const lookup = (group: string): string => `${group}/any`;

/** An object of an older version is judged as the newest one that it is stored as. */
const current = (
  object: KubeObject | undefined,
  { plural, group }: Pick<Resource, "plural" | "group">,
): KubeObject | undefined => {
  const name = `${plural}.${group}`;
  const convert = Object.hasOwn(coreConverters, name) ? coreConverters[name] : undefined;
  return object === undefined ? undefined : convert?.(object, apiVersionOf({ group, version: coreVersion }), lookup);
};

const refusal = (
  { group, kind }: { readonly group: string; readonly kind: string },
  name: string,
  causes: readonly Cause[],
): StatusError => {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const said = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const details = { ...(name === "" ? {} : { name }), group, kind, causes };
  return new StatusError(422, "Invalid", `${kind}.${group} "${name}" is invalid: ${said}`, { details });
};

/** The rules that upstream's core checks by a webhook, inside the embedded server's own admission chain. */
export const coreValidation: ExtensionFactory = () => ({
  name: "core-validation",
  admission: [
    {
      name: "core-validation",
      validate: async ({ operation, subresource, object, oldObject, definition, name }) => {
        if (subresource !== "" || (operation !== "CREATE" && operation !== "UPDATE")) return;
        const wanted = current(object, definition);
        if (wanted === undefined) return;
        const causes = validateObject(wanted, current(oldObject, definition));
        if (causes.length > 0) throw refusal(definition, name, causes);
      },
    },
  ],
});
