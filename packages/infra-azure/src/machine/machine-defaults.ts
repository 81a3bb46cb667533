import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";

type Spec = NonNullable<AzureMachine["spec"]>;
type DataDisk = NonNullable<Spec["dataDisks"]>[number];

export type MachineSpec = Spec;

/** Storage account type of disks that are only attached to machines that request them. */
export const ultraDisk = "UltraSSD_LRS";

const isUltra = ({ managedDisk }: Pick<DataDisk, "managedDisk">): boolean =>
  managedDisk?.storageAccountType === ultraDisk;

/** Returns whether a machine has an ultra disk. */
export const hasUltraDisk = ({
  dataDisks = [],
}: {
  readonly dataDisks?: readonly Pick<DataDisk, "managedDisk">[];
}): boolean => dataDisks.some(isUltra);

/** The disks, each with a number: those without take the lowest that are free. */
const defaultedDataDisks = (disks: readonly DataDisk[]) => {
  const taken = new Set(disks.flatMap(({ lun }) => lun ?? []));
  let next = 0;
  const free = (): number => {
    while (taken.has(next)) next += 1;
    taken.add(next);
    return next;
  };
  return disks.map((disk) => {
    return {
      ...disk,
      lun: disk.lun ?? free(),
      cachingType: disk.cachingType ?? (isUltra(disk) ? "None" : "ReadWrite"),
    };
  });
};

/** The network interfaces; the older fields stand for one. */
const defaultedInterfaces = ({ acceleratedNetworking, networkInterfaces, subnetName }: Spec) => {
  const given = networkInterfaces ?? [];
  if (given.length > 0) return given.map((card) => ({ ...card, privateIPConfigs: card.privateIPConfigs ?? 1 }));
  return [
    {
      privateIPConfigs: 1,
      ...(subnetName !== undefined && subnetName !== "" && { subnetName }),
      ...(acceleratedNetworking !== undefined && { acceleratedNetworking }),
    },
  ];
};

/** Returns whether the older fields say what the only interface says: they were put there before, and are said again. */
const isSaidAgain = ({ acceleratedNetworking, networkInterfaces = [], subnetName = "" }: Spec): boolean => {
  const [only] = networkInterfaces;
  return (
    networkInterfaces.length === 1 &&
    (subnetName === "" || subnetName === only?.subnetName) &&
    (acceleratedNetworking === undefined || acceleratedNetworking === only?.acceleratedNetworking)
  );
};

/** A spec with the defaults that need nothing else: disks, interfaces, eviction. Defaults of defaults change nothing. */
export const defaultedMachine = (spec: Spec) => {
  const { acceleratedNetworking, subnetName, ...others } = spec;
  // Beside other networkInterfaces the older fields are refused: they are kept for the message.
  const isBoth = (spec.networkInterfaces ?? []).length > 0 && !isSaidAgain(spec);
  const isEphemeral = spec.osDisk.diffDiskSettings !== undefined;
  return {
    ...others,
    ...(isBoth && subnetName !== undefined && { subnetName }),
    ...(isBoth && acceleratedNetworking !== undefined && { acceleratedNetworking }),
    identity: spec.identity ?? "None",
    osDisk: { ...spec.osDisk, osType: spec.osDisk.osType ?? "Linux", cachingType: spec.osDisk.cachingType ?? "None" },
    dataDisks: defaultedDataDisks(spec.dataDisks ?? []),
    networkInterfaces: defaultedInterfaces(spec),
    ...(spec.spotVMOptions !== undefined && {
      spotVMOptions: {
        ...spec.spotVMOptions,
        evictionPolicy: spec.spotVMOptions.evictionPolicy ?? (isEphemeral ? "Delete" : "Deallocate"),
      },
    }),
  };
};

export type DefaultedMachine = ReturnType<typeof defaultedMachine>;
