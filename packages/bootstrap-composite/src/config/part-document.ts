import { CapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { bootstrapConfig, bootstrapFormats, bootstrapSecretKeys, conditionOf } from "@capstan/contract/wire";
import type { ContentKey } from "@capstan/kit/bootstrap";
import { clonedKind } from "@capstan/kit/machines";
import type { ExternalObject } from "@capstan/kit/machines";
import type { CompositeConfig } from "../api/composite-config.ts";
import { madeConfig, takenConfig } from "./part-config.ts";
import type { Context } from "./uses.ts";

export type Part = CompositeConfig["spec"]["parts"][number];

/** The document of a part, or what it waits for. */
export type PartDocument =
  | { readonly text: string; readonly waitsFor?: never }
  | { readonly text?: never; readonly waitsFor: string };

const fromSecret = async (context: Context, { name, key }: ContentKey): Promise<PartDocument> => {
  const data = await context.secret(name);
  if (data === undefined) return { waitsFor: `Secret ${name} does not exist; create it` };
  const text = data[key];
  return text === undefined ? { waitsFor: `Secret ${name} has no key ${key}; add it` } : { text };
};

const describeWait = ({ object, contract }: ExternalObject): string => {
  const open = ["DataSecretAvailable", "Ready"].map((type) => conditionOf(object, type, contract));
  const said = open.find((condition) => condition !== undefined && condition.status !== "True")?.message ?? "";
  return `${object.kind} ${object.metadata.name} ${said === "" ? "has no data yet" : `waits: ${said}`}`;
};

/** The data that another provider made. */
const fromConfig = async (context: Context, part: Part, config: ExternalObject): Promise<PartDocument> => {
  const fields = bootstrapConfig.for(config.contract);
  const name = fields.dataSecretName.get(config.object);
  if (fields.dataSecretCreated.get(config.object) !== true || name === undefined) {
    return { waitsFor: describeWait(config) };
  }
  const data = await context.secret(name);
  const text = data?.[bootstrapSecretKeys.value];
  if (data === undefined || text === undefined) {
    return {
      waitsFor: `Secret ${name} with the data of ${config.object.kind} ${config.object.metadata.name} is missing`,
    };
  }
  const format = data[bootstrapSecretKeys.format] ?? bootstrapFormats.cloudConfig;
  if (format === bootstrapFormats.cloudConfig) return { text };
  throw new CapstanError({
    code: "composite.format_unsupported",
    reason: "FormatUnsupported",
    retry: { kind: "never" },
    message: `spec.parts[${part.name}]: ${config.object.kind} ${config.object.metadata.name} produces format ${format}; only ${bootstrapFormats.cloudConfig} can be combined`,
  });
};

const missing = ({ kind, name }: ContractReference): PartDocument => ({
  waitsFor: `${kind} ${name} does not exist; create it or correct the reference`,
});

/** The document of a part. Configs of other providers are made, or taken over, on the way. */
export const documentOf = async (context: Context, part: Part): Promise<PartDocument> => {
  if (part.content !== undefined) return { text: part.content };
  if (part.contentFrom !== undefined) return fromSecret(context, part.contentFrom.secret);
  if (part.configRef !== undefined) {
    const config = await context.uses.parts.find(part.configRef);
    return config === undefined
      ? missing(part.configRef)
      : fromConfig(context, part, await takenConfig(context, config));
  }
  const { templateRef } = part;
  if (templateRef === undefined) return { waitsFor: "it has no content; set one of its sources" };
  const name = `${context.object.metadata.name ?? ""}-${part.name}`;
  const made = await context.uses.parts.find({ ...templateRef, kind: clonedKind(templateRef.kind), name });
  if (made !== undefined) return fromConfig(context, part, made);
  const template = await context.uses.parts.find(templateRef);
  if (template === undefined) return missing(templateRef);
  return fromConfig(context, part, await madeConfig(context, template, name));
};
