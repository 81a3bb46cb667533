import { expect, it } from "vitest";
import { givenOptions } from "./given-options.ts";

const variables = (all: Readonly<Record<string, string>>) => (name: string) => all[name];

it("win over what variables say", () => {
  const environment = variables({
    TINKERBELL_ADDRESS: "10.0.0.5",
    TINKERBELL_SHARED_NAMESPACES: "a, b",
    ELEMENTAL_API_ENDPOINT: "old.example",
    ELEMENTAL_HOST_LIMIT: "3",
    ELEMENTAL_API_PROTOCOL: "http",
  });
  expect(givenOptions({}, environment)).toMatchObject({
    metadataUrl: "http://10.0.0.5:7080",
    sharedNamespaces: ["a", "b"],
    elemental: { endpoint: "old.example", hostLimit: 3, protocol: "http" },
  });
  expect(
    givenOptions(
      {
        metadataUrl: "http://10.0.0.6:80",
        sharedNamespaces: ["c"],
        elementalEndpoint: "new.example",
        elementalHostLimit: 0,
        elementalTokenDurationMs: 5_400_000,
        elementalTls: false,
        elementalListen: ":9091",
      },
      environment,
    ),
  ).toMatchObject({
    metadataUrl: "http://10.0.0.6:80",
    sharedNamespaces: ["c"],
    elemental: {
      endpoint: "new.example",
      hostLimit: 0,
      tokenDurationMs: 5_400_000,
      tls: false,
      listen: { port: 9091 },
    },
  });
});
