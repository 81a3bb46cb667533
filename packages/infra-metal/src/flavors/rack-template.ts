import { flavorHead, manifest, manifests } from "@capstan/kit/flavors";
import { apiVersionOf } from "@capstan/schema";
import { BmcMachine, Hardware } from "@capstan/tinkerbell/api";
import { kubeadmManifests } from "./kubeadm-template.ts";

/** Left for `capstan up`, to which the simulated rack tells it. */
const told = (name: string, value?: string): string => `$\${${name}${value === undefined ? "" : `:=${value}`}}`;

const credentials = `apiVersion: v1
kind: Secret
metadata:
  name: \${CLUSTER_NAME}-bmc
stringData:
  username: ${told("METAL_BMC_USERNAME")}
  password: ${told("METAL_BMC_PASSWORD")}
`;

const machine = (number: number): readonly string[] => {
  const name = `\${CLUSTER_NAME}-metal-${number}`;
  const variable = (of: string): string => told(`METAL_${number}_${of}`);
  const port = told("METAL_BMC_PORT", "443");
  return [
    manifest(
      { apiVersion: apiVersionOf(BmcMachine), kind: "Machine", name },
      `connection:
  host: ${variable("BMC")}
  port: ${port}
  insecureTLS: true
  authSecretRef:
    name: \${CLUSTER_NAME}-bmc
    namespace: \${NAMESPACE:=default}
  providerOptions:
    preferredOrder: [gofish]
    redfish:
      port: ${port}
`,
    ),
    manifest(
      { apiVersion: apiVersionOf(Hardware), kind: "Hardware", name },
      `bmcRef:
  apiGroup: bmc.tinkerbell.org
  kind: Machine
  name: ${name}
disks:
  - device: /dev/sda
interfaces:
  - dhcp:
      mac: ${variable("MAC")}
      hostname: metal-${number}
      arch: x86_64
      uefi: true
      ip:
        address: ${variable("ADDRESS")}
        netmask: 255.255.255.0
metadata:
  instance:
    id: ${variable("MAC")}
    hostname: metal-${number}
`,
    ),
  ];
};

/** The default cluster with the first machines of a simulated rack, one of them spare, for `capstan up --simulate metal`. */
export const rackTemplate: string =
  flavorHead({
    needs:
      "capstan up --simulate metal, which sets the variables that are left; for machines of your own put theirs in their place",
    costs: "what the machines cost you",
  }) +
  manifests([credentials, ...[1, 2, 3].flatMap(machine), ...kubeadmManifests(told("METAL_CONTROL_PLANE_ADDRESS"))]);
