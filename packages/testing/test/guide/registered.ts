import type { BootstrapAuthor } from "@capstan/kit/bootstrap";
import type { KubeObject } from "@capstan/schema";

/** A list outside, which a machine has to stand on before it boots. */
export interface Registry {
  enter(name: string, call: { readonly signal: AbortSignal }): Promise<void>;
  strike(name: string, call: { readonly signal: AbortSignal }): Promise<void>;
}

/** An author whose machines are entered in a registry under the uid of their config. */
export const registered = <Config extends KubeObject>(
  author: BootstrapAuthor<Config>,
  registry: Registry,
): BootstrapAuthor<Config> => ({
  ...author,
  generate: async (context) => {
    await registry.enter(context.object.metadata.uid ?? "", context.call);
    return author.generate(context);
  },
  remove: ({ call, object }) => registry.strike(object.metadata.uid ?? "", call),
});
