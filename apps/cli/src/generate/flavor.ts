import { CapstanError } from "@capstan/contract";
import type { FlavorV1, OutsideV1 } from "@capstan/contract/v1";
import { infrastructureRole } from "../modules/module-role.ts";
import { createProviders } from "../modules/providers.ts";

const missing = (message: string): CapstanError =>
  new CapstanError({ code: "generate.flavor_missing", reason: "FlavorMissing", message, retry: { kind: "never" } });

/** Returns the flavors of a provider. Throws `generate.flavor_missing` when it has none. */
export const flavorsOf = async (infrastructure: string, outside: OutsideV1): Promise<readonly FlavorV1[]> => {
  const [provider] = await createProviders([infrastructure], outside, { role: infrastructureRole });
  const flavors = provider?.flavors ?? [];
  if (flavors.length > 0) return flavors;
  throw missing(
    `--infrastructure ${infrastructure}: the provider ${provider?.name} has no flavors; name a template with --from`,
  );
};

/** Throws `generate.flavor_missing`, which names those that there are. */
export const chosenFlavor = (
  flavors: readonly FlavorV1[],
  { bootstrap, flavor, infrastructure }: Readonly<Record<"bootstrap" | "flavor" | "infrastructure", string>>,
): FlavorV1 => {
  const found = flavors.find((each) => each.name === flavor && each.bootstrap === bootstrap);
  if (found !== undefined) return found;
  const others = flavors.map((each) => `--bootstrap ${each.bootstrap} --flavor ${each.name}`).join(", ");
  throw missing(`${infrastructure} has no flavor ${flavor} for ${bootstrap}; there are ${others}`);
};
