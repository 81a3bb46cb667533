import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { CustomResourceDefinition } from "@capstan/schema";
import { withoutConversion } from "../providers/install-crds.ts";
import { allRecords } from "./record.ts";

/** Those of the definitions that no other installation has. */
export const soleDefinitions = async (
  client: Client,
  definitions: readonly string[],
  { installation, signal }: { readonly installation: string; readonly signal: AbortSignal },
): Promise<readonly string[]> => {
  const others = (await allRecords(client, signal)).filter((each) => each.installation !== installation);
  const kept = new Set(others.flatMap(({ record }) => Object.values(record.providers).flat()));
  return definitions.filter((name) => !kept.has(name));
};

/** Leaves definitions of which no manager converts the objects any more with the stored version alone, so that objects can be read and deleted. */
export const abandonDefinitions = async (
  client: Client,
  definitions: readonly string[],
  options: { readonly installation: string; readonly signal: AbortSignal },
): Promise<void> => {
  const { signal } = options;
  for (const name of await soleDefinitions(client, definitions, options)) {
    const found = await client.find(CustomResourceDefinitionResource, { name }, { signal });
    if (found === undefined) continue;
    const definition = found as unknown as CustomResourceDefinition;
    const alone = withoutConversion(definition);
    if (alone === definition) continue;
    const { conversion, versions } = alone.spec;
    // `null` removes what a strategy without a webhook may not have.
    const body = { spec: { conversion: { ...conversion, webhook: null }, versions } };
    await client.patch(CustomResourceDefinitionResource, { name }, { type: "merge", body }, { signal });
  }
};
