import { CompositeConfigReason } from "../api/composite-conditions.ts";
import { bootstrapFormats, bootstrapSecretKeys } from "@capstan/contract/wire";
import type { BootstrapAuthor, BootstrapOutcome } from "@capstan/kit/bootstrap";
import { ready, waiting } from "@capstan/kit/bootstrap";
import { defaultMerge } from "../api/composite-config-spec.ts";
import { CompositeConfig } from "../api/composite-config.ts";
import type { BootstrapCompositeProviderOptions } from "../options.ts";
import { compositeDocument } from "../render/composite-document.ts";
import { uses } from "./uses.ts";
import type { Context } from "./uses.ts";
import { documentOf } from "./part-document.ts";
import type { Part } from "./part-document.ts";

const generate = async (context: Context): Promise<BootstrapOutcome> => {
  const { parts } = context.object.spec;
  // All parts are asked, so that those of other providers are made side by side.
  const documents: (Part & Awaited<ReturnType<typeof documentOf>>)[] = [];
  for (const part of parts) documents.push({ ...part, ...(await documentOf(context, part)) });
  const open = documents.filter(({ text }) => text === undefined);
  if (open.length > 0) {
    const message = open.map(({ name, waitsFor }) => `part ${name}: ${waitsFor}`).join("; ");
    return waiting({ reason: CompositeConfigReason.waitingForParts, message });
  }
  const value = compositeDocument(
    documents.map(({ name, text = "", merge = defaultMerge }) => ({ name, content: text, merge })),
  );
  return ready({ value, format: bootstrapFormats.cloudConfig });
};

/** The parts of a pool's data change, as when one gets a new token: then the whole is another one. */
const refresh = async (context: Context): Promise<{ readonly stale?: boolean }> => {
  if (context.pool === undefined) return {};
  const outcome = await generate(context);
  if (outcome.state !== "ready") return {};
  const stored = await context.secret(context.object.metadata.name ?? "");
  return { stale: stored?.[bootstrapSecretKeys.value] !== outcome.value };
};

export const compositeConfigAuthor = ({
  concurrency,
}: Required<BootstrapCompositeProviderOptions>): BootstrapAuthor<CompositeConfig, typeof uses> => ({
  kind: CompositeConfig,
  concurrency,
  uses,
  generate,
  refresh,
});
