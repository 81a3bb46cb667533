import { base64, computeAt } from "./cluster-machine.ts";
import { idOf, inEastUs } from "./cluster-network.ts";
import type { SimulatedAzure } from "./simulation.ts";

/** Path of a scale set in the group `demo`, or of something below it. */
export const setAt = (path: string): string => computeAt(`virtualMachineScaleSets/${path}`);

interface Model {
  readonly capacity?: number;
  readonly mode?: "Uniform" | "Flexible";
  readonly customData?: string;
  readonly image?: object;
  readonly extensions?: readonly object[];
  /** Of the configuration of its network card. */
  readonly ip?: object;
  /** Of `virtualMachineProfile`. */
  readonly profile?: object;
  /** Of `properties`. */
  readonly more?: object;
  readonly outer?: object;
}

const image = {
  communityGalleryImageId:
    "/CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images/capi-ubun2-2404/Versions/1.34.1",
};

/** Body of a scale set of Linux machines. */
export const setBody = (azure: SimulatedAzure, name: string, model: Model = {}) => {
  const { mode = "Uniform" } = model;
  return {
    ...inEastUs({
      orchestrationMode: mode,
      ...(mode === "Uniform"
        ? { upgradePolicy: { mode: "Manual" }, overprovision: false, singlePlacementGroup: false }
        : { platformFaultDomainCount: 1, singlePlacementGroup: false }),
      virtualMachineProfile: {
        storageProfile: {
          imageReference: model.image ?? image,
          osDisk: {
            osType: "Linux",
            createOption: "FromImage",
            diskSizeGB: 30,
            managedDisk: { storageAccountType: "Premium_LRS" },
          },
        },
        osProfile: {
          computerNamePrefix: name,
          adminUsername: "capi",
          customData: model.customData ?? base64("#cloud-config\n"),
          linuxConfiguration: {
            disablePasswordAuthentication: true,
            ssh: { publicKeys: [{ path: "/home/capi/.ssh/authorized_keys", keyData: "ssh-rsa AAAA\n" }] },
          },
        },
        diagnosticsProfile: { bootDiagnostics: { enabled: true } },
        networkProfile: {
          ...(mode === "Flexible" ? { networkApiVersion: "2020-11-01" } : {}),
          networkInterfaceConfigurations: [
            {
              name: `${name}-nic-0`,
              properties: {
                primary: true,
                enableAcceleratedNetworking: true,
                ipConfigurations: [
                  {
                    name: `${name}-ip`,
                    properties: {
                      primary: true,
                      subnet: { id: idOf(azure, "virtualNetworks/demo-vnet/subnets/nodes") },
                      ...model.ip,
                    },
                  },
                ],
              },
            },
          ],
        },
        ...(model.extensions === undefined ? {} : { extensionProfile: { extensions: model.extensions } }),
        ...model.profile,
      },
      ...model.more,
    }),
    sku: { name: "Standard_D2s_v3", tier: "Standard", capacity: model.capacity ?? 2 },
    ...model.outer,
  };
};

/** An extension of the model that runs a command. */
export const extensionModel = (commandToExecute: string, name = "CAPZ.Linux.Bootstrapping", more: object = {}) => ({
  name,
  properties: {
    publisher: "Microsoft.Azure.ContainerUpstream",
    type: name,
    typeHandlerVersion: "1.0",
    protectedSettings: { commandToExecute },
    ...more,
  },
});
