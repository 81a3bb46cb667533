import { expect, it } from "vitest";
import { azureEnvironments } from "./azure-environments.ts";

it.each(Object.entries(azureEnvironments))(
  "keeps %s in one domain",
  (_, { resourceManager, audience, cloudAppSuffix }) => {
    expect(new URL(audience).host).toBe(new URL(resourceManager).host);
    expect(new URL(resourceManager).host.split(".").slice(-2)).toEqual(cloudAppSuffix.split(".").slice(-2));
  },
);
