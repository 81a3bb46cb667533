import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { between, forbidden, immutable, oneOf, required } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { changed, filled, filledUnset, listOf, partOf } from "../../values/object-parts.ts";

const protocols = ["TCP", "UDP", "SCTP"];

const withProtocol = (ports: unknown): readonly unknown[] =>
  listOf(ports).map((port) => filledUnset(partOf(port), { protocol: "TCP" }));

const portCauses = (ports: unknown, field: string): Causes =>
  listOf(ports).flatMap((port, index) => [
    ...between(`${field}[${index}].port`, partOf(port)["port"], 1, 65_535),
    ...oneOf(`${field}[${index}].protocol`, partOf(port)["protocol"], protocols),
  ]);

export const endpoints: KindBehaviour = {
  deprecationWarning: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  applyDefaults: (object) =>
    changed(object, "subsets", (subsets) =>
      listOf(subsets).map((subset) => changed(partOf(subset), "ports", withProtocol)),
    ) as KubeObject,
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    createOnUpdate: true,
    validate: (object) =>
      listOf(object["subsets"]).flatMap((subset, index) => {
        const { addresses, notReadyAddresses, ports } = partOf(subset);
        const isEmpty = listOf(addresses).length + listOf(notReadyAddresses).length === 0;
        return [
          ...(isEmpty ? [required(`subsets[${index}]`, "must specify `addresses` or `notReadyAddresses`")] : []),
          ...portCauses(ports, `subsets[${index}].ports`),
        ];
      }),
  },
};

const validateSlice = (object: KubeObject): Causes => [
  ...oneOf("addressType", object["addressType"], ["IPv4", "IPv6", "FQDN"]),
  ...portCauses(object["ports"], "ports"),
  ...listOf(object["endpoints"]).flatMap((endpoint, index) => {
    const addresses = listOf(partOf(endpoint)["addresses"]);
    return addresses.length > 100 ? [forbidden(`endpoints[${index}].addresses`, "must have at most 100 items")] : [];
  }),
];

export const endpointSlices: KindBehaviour = {
  applyDefaults: (object) =>
    changed(object, "ports", (ports) =>
      listOf(ports).map((port) => filled(partOf(port), { name: "", protocol: "TCP" })),
    ) as KubeObject,
  strategy: {
    unconditionalUpdate: true,
    validate: validateSlice,
    validateUpdate: (object, old) => [
      ...validateSlice(object),
      ...(object["addressType"] === old["addressType"] ? [] : [immutable("addressType", object["addressType"])]),
    ],
  },
};
