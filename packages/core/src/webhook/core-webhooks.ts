import { isCapstanError } from "@capstan/contract";
import type { AdmissionContextV1, DefaultedV1, KindWebhooksV1 } from "@capstan/contract/v1";
import { ConfigMapResource } from "@capstan/contract/wire";
import { permission } from "@capstan/kit";
import { conversionWebhooks } from "@capstan/kit/admission";
import type { KubeObject, Resource } from "@capstan/schema";
import { coreConverters } from "../conversion/core-converters.ts";
import { fillReferences } from "../default-templates/fill-references.ts";
import { defaultObject } from "../defaults/default-object.ts";
import { validateObject } from "../validation/validate-object.ts";
import { withUnusedEdits } from "./read-once.ts";

/** References from default templates, then the defaults of the kind; edits that change nothing are said. */
const defaulted = async (object: KubeObject, { old, find }: AdmissionContextV1): Promise<DefaultedV1> => {
  try {
    const filled = await fillReferences(object, { old, findConfigMap: (key) => find(ConfigMapResource, key) });
    const { object: complete, warnings = [] } = withUnusedEdits(defaultObject(filled.object, old), old);
    const all = filled.message === "" ? warnings : [filled.message, ...warnings];
    return all.length === 0 ? { object: complete } : { object: complete, warnings: all };
  } catch (error) {
    // What an object asks for and cannot have is its sender's to fix.
    if (!isCapstanError(error) || !error.code.startsWith("core.")) throw error;
    return { refused: error.message };
  }
};

/** Conversion of the core kinds, the defaults and rules that upstream's core has in webhooks, and references from default templates. */
export const coreWebhooks = (kinds: readonly Resource[]): readonly KindWebhooksV1[] =>
  conversionWebhooks(kinds, coreConverters).map((converted) => ({
    ...converted,
    default: defaulted,
    validate: (object, { old }) => validateObject(object, old),
    permissions: [permission(ConfigMapResource, ["get"])],
  }));
