import { boolean, enumOf, list, map, object, optional, string } from "@capstan/schema";

const image = () =>
  string({
    description: "OCI image reference of the bundle, by tag or digest, for example registry.example/bundles/k3s:1.0.",
    minLength: 1,
    maxLength: 512,
  });

const digest = (description: string) => string({ description, pattern: "^sha256:[0-9a-f]{64}$", maxLength: 71 });

const environment = () =>
  map(string({ description: "Its value." }), {
    description: "Variables for install.sh. Names that begin with CAPSTAN_ are taken.",
    maxProperties: 64,
  });

const environmentSecrets = () =>
  list(
    object(
      {
        secretRef: object(
          { name: string({ description: "Name of the Secret.", minLength: 1, maxLength: 253 }) },
          { description: "Secret in the namespace of the object." },
        ),
      },
      { description: "One source of variables." },
    ),
    { description: "Secrets whose keys become variables; later ones and env win.", type: "atomic", maxItems: 16 },
  );

const signature = () =>
  object(
    {
      publicKeys: optional(
        list(string({ description: "PEM of a public key, ECDSA P-256 or Ed25519.", maxLength: 4096 }), {
          description: "One of these must have signed the bundle.",
          type: "atomic",
          maxItems: 8,
        }),
      ),
      required: optional(
        boolean({
          description: "Whether a bundle without a valid signature is refused. Default: when keys are named.",
        }),
      ),
    },
    { description: "How the bundle is signed, as cosign signs images by key." },
  );

const delivery = () =>
  enumOf(["served", "pull"], {
    description: "served: the Elemental API hands the bundle to the host. pull: the host asks the registry itself.",
  });

/** `componentsBundle` and `components` of a machine. */
export const componentFields = () => ({
  componentsBundle: optional(image()),
  components: optional(
    object(
      {
        image: image(),
        digest: optional(digest("Digest that the reference must resolve to.")),
        env: optional(environment()),
        envFrom: optional(environmentSecrets()),
        signature: optional(signature()),
        delivery: optional(delivery()),
      },
      { description: "What is installed on the host before it is bootstrapped; componentsBundle with more to say." },
    ),
  ),
});

/** `components` of a host: resolved, and with what install.sh is told. */
export const hostComponents = () =>
  object(
    {
      image: image(),
      digest: digest("Digest of the bundle, resolved once."),
      env: optional(environment()),
      envFrom: optional(environmentSecrets()),
      signature: optional(signature()),
      delivery: delivery(),
      kubernetesVersion: optional(string({ description: "Version of the Machine.", maxLength: 256 })),
      role: enumOf(["control-plane", "worker"], { description: "What the Machine is to its cluster." }),
    },
    { description: "The bundle that the host is to have; set by the controller." },
  );

/** `status.components` of machines and hosts. */
export const componentsStatus = () =>
  object(
    {
      desired: optional(digest("Digest of the bundle that the host is to have.")),
      installed: optional(digest("Digest of the bundle that the host has.")),
    },
    { description: "Which bundle is there, and which is to be." },
  );
