import type { BootstrapAuthor } from "@capstan/kit/bootstrap";
import type { SimpleConfig } from "./simple-config.ts";

/** A list outside, which a machine has to stand on before it boots. */
export interface Registry {
  enter(name: string, call: { readonly signal: AbortSignal }): Promise<void>;
  strike(name: string, call: { readonly signal: AbortSignal }): Promise<void>;
}

/** The author of section 3, with machines entered in a registry under the uid of their config. */
export const registered = (
  author: BootstrapAuthor<SimpleConfig>,
  registry: Registry,
): BootstrapAuthor<SimpleConfig> => ({
  ...author,
  generate: async (context) => {
    await registry.enter(context.object.metadata.uid ?? "", context.call);
    return author.generate(context);
  },
  remove: ({ call, object }) => registry.strike(object.metadata.uid ?? "", call),
});
