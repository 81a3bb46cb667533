import { createAzureProvider } from "@capstan/infra-azure";
import { createLinodeProvider } from "@capstan/infra-linode";
import { createMetalProvider } from "@capstan/infra-metal";
import type { ProviderV1 } from "@capstan/contract/v1";
import { createTinkerbellProvider } from "@capstan/tinkerbell";
import { isKind, type Kind, type Resource } from "@capstan/schema";
import { azureFleet } from "./azure-fleet.ts";
import { elementalFleet } from "./elemental-fleet.ts";
import type { FleetSubject } from "./fleet-cloud.ts";
import { linodeFleet } from "./linode-fleet.ts";
import { metalFleet } from "./metal-fleet.ts";

const kindsOf = (...providers: readonly ProviderV1[]): readonly Kind[] =>
  providers.flatMap(({ kinds }) => (kinds as readonly Pick<Resource, "kind">[]).filter(isKind));

const metalKinds = kindsOf(createMetalProvider(), createTinkerbellProvider());

/** The infrastructures, by the names that the command has for them. */
export const fleetSubjects: Readonly<Record<string, FleetSubject>> = {
  azure: { kinds: kindsOf(createAzureProvider()), start: azureFleet },
  elemental: { kinds: metalKinds, start: elementalFleet },
  linode: { kinds: kindsOf(createLinodeProvider()), start: linodeFleet },
  metal: { kinds: metalKinds, start: metalFleet },
};
