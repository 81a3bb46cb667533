import { at, idOf, inEastUs, networkCard } from "./cluster-network.ts";
import type { Answer, SimulatedAzure } from "./simulation.ts";

/** Path of a machine in the group `demo`, or of something below it. */
export const vmAt = (path: string): string => `resourceGroups/demo/providers/Microsoft.Compute/virtualMachines/${path}`;

/** Path of another resource of compute. */
export const computeAt = (path: string): string => `resourceGroups/demo/providers/Microsoft.Compute/${path}`;

export const base64 = (text: string): string => Buffer.from(text).toString("base64");

interface Machine {
  readonly customData?: string;
  readonly vmSize?: string;
  readonly zone?: string;
  /** Of `osProfile`. */
  readonly profile?: object;
  /** Of `properties`. */
  readonly more?: object;
  readonly outer?: object;
  readonly image?: object;
}

const image = {
  communityGalleryImageId:
    "/CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images/capi-ubun2-2404/Versions/1.34.1",
};

/** Body of a Linux machine with one network card, `<name>-nic`. */
export const vmBody = (azure: SimulatedAzure, name: string, machine: Machine = {}) => ({
  ...inEastUs({
    hardwareProfile: { vmSize: machine.vmSize ?? "Standard_D2s_v3" },
    storageProfile: {
      imageReference: machine.image ?? image,
      osDisk: {
        name: `${name}_OSDisk`,
        osType: "Linux",
        createOption: "FromImage",
        diskSizeGB: 128,
        caching: "None",
        managedDisk: { storageAccountType: "Premium_LRS" },
      },
      dataDisks: [{ name: `${name}_etcd`, lun: 0, createOption: "Empty", diskSizeGB: 256, caching: "ReadWrite" }],
    },
    osProfile: {
      computerName: name,
      adminUsername: "capi",
      customData: machine.customData ?? base64("#cloud-config\n"),
      linuxConfiguration: {
        disablePasswordAuthentication: true,
        ssh: { publicKeys: [{ path: "/home/capi/.ssh/authorized_keys", keyData: "ssh-rsa AAAA\n" }] },
      },
      ...machine.profile,
    },
    networkProfile: {
      networkInterfaces: [{ id: idOf(azure, `networkInterfaces/${name}-nic`), properties: { primary: true } }],
    },
    diagnosticsProfile: { bootDiagnostics: { enabled: true } },
    ...machine.more,
  }),
  zones: [machine.zone ?? "1"],
  ...machine.outer,
});

/** Makes the network card of a machine, and the machine; what the machine's operation ended with. */
export const makeVm = async (
  azure: SimulatedAzure,
  name: string,
  machine: Machine & { readonly card?: object } = {},
): Promise<Answer> => {
  const { card = {}, ...rest } = machine;
  await azure.call("PUT", at(`networkInterfaces/${name}-nic`), { body: networkCard(azure, "control", card) });
  return azure.settle("PUT", vmAt(name), { body: vmBody(azure, name, rest) });
};

/** Body of the bootstrapping extension. */
export const bootstrapping = (commandToExecute: string, type = "CAPZ.Linux.Bootstrapping") =>
  inEastUs({
    publisher: "Microsoft.Azure.ContainerUpstream",
    type,
    typeHandlerVersion: "1.0",
    protectedSettings: { commandToExecute },
  });
