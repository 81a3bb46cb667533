import { CapstanError } from "@capstan/contract";
import { checkShape, list, object, text, type Refusal, type ValueOf } from "@capstan/simulation";
import type { AzureSimulatorOptions } from "./simulator.ts";

/** The container that is ready for bootstrap data, and the account that it is in. */
export const bootstrapStore = {
  account: "capstansimulated",
  key: Buffer.from("simulated-key-of-the-storage-account").toString("base64"),
  container: "capstan-bootstrap",
} as const;

/** The identity that upstream's templates name where nothing else is said, for machines in which a cloud provider runs. */
const machineIdentity = { resourceGroup: "capz-ci", name: "cloud-provider-user-identity", location: "eastus" } as const;

const seedShape = object({
  principals: list(
    object(
      {
        clientId: text({ min: 1 }),
        objectId: text({ min: 1 }),
        clientSecret: text({ min: 1 }),
        role: text({ enum: ["Owner", "Contributor", "Reader"] }),
      },
      ["clientId", "objectId", "clientSecret", "role"],
    ),
  ),
  images: list(text({ min: 1 })),
  quotas: { type: "json" },
  capacity: { type: "json" },
  policies: list(
    object(
      {
        name: text({ min: 1 }),
        types: list(text({ min: 1 })),
        locations: list(text({ min: 1 })),
        requiredTags: list(text({ min: 1 })),
        vmSizes: list(text({ min: 1 })),
      },
      ["name"],
    ),
  ),
  identities: list(
    object({ resourceGroup: text({ min: 1 }), name: text({ min: 1 }), location: text({ min: 1 }) }, [
      "resourceGroup",
      "name",
      "location",
    ]),
  ),
  storageAccounts: list(
    object({ name: text({ pattern: /^[a-z0-9]{3,24}$/ }), key: text({ min: 1 }), containers: list(text({ min: 1 })) }, [
      "name",
      "key",
    ]),
  ),
});

const unreadable = (field: string, message: string, cause: unknown): CapstanError =>
  new CapstanError({
    code: "azure.simulator_seed",
    reason: "SimulatorSeedInvalid",
    message: `the seed of the simulated Azure subscription: ${field} ${message}; it may have principals, each with clientId, objectId, clientSecret and role, images, quotas (cores by family), capacity (machines by size), policies, each with name and what it allows of types, locations, requiredTags and vmSizes, identities, each with resourceGroup, name and location, and storageAccounts, each with name, key and containers`,
    retry: { kind: "never" },
    cause,
  });

const numbersIn = (field: string, given: unknown): Readonly<Record<string, number>> => {
  const entries = Object.entries(given ?? {});
  const bad = entries.find(([, value]) => !Number.isInteger(value));
  if (bad !== undefined) throw unreadable(`${field}.${bad[0]}`, "must be an integer", undefined);
  return Object.fromEntries(entries);
};

/** Returns the initial contents of an empty subscription: the container that its variables name, an identity for machines, and the seed. */
export const seedOf = (
  seed: unknown,
): Pick<
  AzureSimulatorOptions,
  "capacity" | "identities" | "images" | "policies" | "principals" | "quotas" | "storageAccounts"
> => {
  try {
    if (seed !== undefined) checkShape(seed, seedShape);
  } catch (error) {
    const { field = "", message } = error as Refusal;
    throw unreadable(field, message, error);
  }
  const {
    identities = [],
    principals,
    images,
    quotas,
    capacity,
    policies = [],
    storageAccounts = [],
  } = (seed ?? {}) as ValueOf<typeof seedShape>;
  const own = { name: bootstrapStore.account, key: bootstrapStore.key, containers: [bootstrapStore.container] };
  return {
    ...(principals === undefined ? {} : { principals }),
    ...(images === undefined ? {} : { images }),
    quotas: numbersIn("quotas", quotas),
    capacity: numbersIn("capacity", capacity),
    policies,
    identities: [machineIdentity, ...identities],
    storageAccounts: [own, ...storageAccounts].map(({ name, key, containers = [] }) => ({
      name,
      keys: [key],
      containers: Object.fromEntries(containers.map((container) => [container, []])),
    })),
  };
};
