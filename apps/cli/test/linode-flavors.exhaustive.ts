import { it } from "vitest";
import { expectFlavorRuns, linodeFlavors } from "./linode-flavors.ts";

it.each(Object.keys(linodeFlavors) as (keyof typeof linodeFlavors)[])("flavor %s for kubeadm runs", (flavor) =>
  expectFlavorRuns(flavor),
);
