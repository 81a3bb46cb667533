import type { KubeObject } from "@capstan/schema";
import { listOf, partOf } from "../../values/object-parts.ts";
import { between, type Causes, forbidden, oneOf, required } from "./causes.ts";

const protocols = ["TCP", "UDP", "SCTP"];

const portCauses = (ports: unknown, field: string): Causes =>
  listOf(ports).flatMap((port, index) => [
    ...between(`${field}[${index}].port`, partOf(port)["port"], 1, 65_535),
    ...oneOf(`${field}[${index}].protocol`, partOf(port)["protocol"], protocols),
  ]);

export const subsetCauses = (object: KubeObject): Causes =>
  listOf(object["subsets"]).flatMap((subset, index) => {
    const { addresses, notReadyAddresses, ports } = partOf(subset);
    const isEmpty = listOf(addresses).length + listOf(notReadyAddresses).length === 0;
    return [
      ...(isEmpty ? [required(`subsets[${index}]`, "must specify `addresses` or `notReadyAddresses`")] : []),
      ...portCauses(ports, `subsets[${index}].ports`),
    ];
  });

export const sliceCauses = (object: KubeObject): Causes => [
  ...oneOf("addressType", object["addressType"], ["IPv4", "IPv6", "FQDN"]),
  ...portCauses(object["ports"], "ports"),
  ...listOf(object["endpoints"]).flatMap((endpoint, index) => {
    const addresses = listOf(partOf(endpoint)["addresses"]);
    return addresses.length > 100 ? [forbidden(`endpoints[${index}].addresses`, "must have at most 100 items")] : [];
  }),
];
