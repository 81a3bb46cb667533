import { boolean, enumOf, int32, list, object, optional, string, text, time } from "@capstan/schema";
import type { Node } from "@capstan/schema";
import { texts } from "./generation.ts";
import type { Generation } from "./generation.ts";

/** Registration of the Node; `taints` are further limits of the list of taints. */
export const nodeRegistration = <A>(
  generation: Generation,
  kubeletExtraArgs: Node<A>,
  taints: { readonly minItems?: number },
) =>
  object(
    {
      name: optional(text(253, "Name of the Node; the host name when unset.")),
      criSocket: optional(text(512, "Socket of the container runtime; found by kubeadm when unset.")),
      taints: optional(
        list(
          object(
            {
              key: string({ description: "Key of the taint." }),
              value: optional(string({ description: "Value of the taint." })),
              effect: string({ description: "NoSchedule, PreferNoSchedule or NoExecute." }),
              timeAdded: optional(time({ description: "When it was added; for NoExecute." })),
            },
            { description: "One taint." },
          ),
          {
            description: "Taints of the new Node. Unset: kubeadm's own; an empty list: none.",
            maxItems: 100,
            ...taints,
          },
        ),
      ),
      kubeletExtraArgs: optional(kubeletExtraArgs),
      ignorePreflightErrors: optional(
        texts("Checks of kubeadm that may fail; all for all.", "Name of a check.", {
          maxItems: 50,
          maxLength: 512,
          ...generation.list,
        }),
      ),
      imagePullPolicy: optional(
        enumOf(["Always", "IfNotPresent", "Never"], {
          description: "When images are pulled; IfNotPresent when unset.",
        }),
      ),
      imagePullSerial: optional(
        boolean({ description: "Whether images are pulled one after another; true when unset." }),
      ),
    },
    { description: "How the Node is registered.", ...generation.object },
  );

/** Where the API server of this machine listens; `bindPort` are limits of the port. */
export const localAPIEndpoint = (generation: Generation, bindPort: { readonly minimum?: number }) =>
  object(
    {
      advertiseAddress: optional(text(39, "Address the API server advertises; found by kubeadm when unset.")),
      bindPort: optional(int32({ description: "Port it listens on; 6443 when unset.", ...bindPort })),
    },
    { description: "The API server on this machine.", ...generation.object },
  );

export const skipPhases = (generation: Generation) =>
  texts("Phases of kubeadm to leave out.", "Name of a phase.", {
    maxItems: 50,
    maxLength: 256,
    ...generation.list,
  });

export const patches = (generation: Generation) =>
  object(
    { directory: optional(text(512, "Directory with patch files.")) },
    { description: "Patches of what kubeadm deploys.", ...generation.object },
  );

/** Fields of a bootstrap token beside its lifetime. */
export const bootstrapTokenFields = (generation: Generation) => ({
  description: optional(text(512, "What the token is for.")),
  expires: optional(time({ description: "When it ends; excludes the time to live." })),
  usages: optional(
    texts("What it may be used for: signing, authentication.", "A usage.", {
      maxItems: 100,
      maxLength: 256,
      ...generation.list,
    }),
  ),
  groups: optional(texts("Groups its user is in.", "A group.", { maxItems: 100, maxLength: 256, ...generation.list })),
});

/** Seconds of 0 or more. */
export const seconds = (description: string): Node<number> => int32({ description, minimum: 0 });
