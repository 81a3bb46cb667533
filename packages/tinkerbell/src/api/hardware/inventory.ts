import { int32, int64, list, object, optional, textField, textsField, time, type Node } from "@capstan/schema";

const count = (description: string) => optional(int32({ description }));
const bytes = (description: string) => optional(int64({ description }));
const many = <T>(of: Node<T>, description: string) => optional(list(of, { description }));

const model = { vendor: textField("Who made it."), model: textField("Its model.") };
const serialNumber = textField("Its serial number.");
const device = { ...model, serialNumber, firmwareVersion: textField("Version of its firmware.") };

const status = optional(
  object(
    {
      health: textField("How it is."),
      state: textField("Its state."),
      postCode: count("Code of the power-on self-test."),
      postCodeStatus: textField("What the code says."),
    },
    { description: "What the board management says of it." },
  ),
);
const description = textField("What it is.");

const networkCard = (text: string) =>
  object(
    {
      ...device,
      name: textField("Its name."),
      ports: many(
        object(
          {
            portID: textField("Its id."),
            mac: textField("Its MAC address."),
            linkStatus: textField("Whether it has a link."),
            speedMbps: count("Its speed."),
            mtu: count("Its largest frame."),
            enabledCapabilities: textsField("What it can do and does.", "A capability."),
          },
          { description: "A port." },
        ),
        "Its ports.",
      ),
    },
    { description: text },
  );

const socket = object(
  {
    ...device,
    slot: textField("Where it sits."),
    cores: count("Its cores."),
    threads: count("Its threads."),
    clockSpeedMHz: count("Its clock."),
    capabilities: textsField("What it can do.", "A capability."),
  },
  { description: "A processor." },
);

const memoryModule = object(
  {
    ...device,
    slot: textField("Where it sits."),
    partNumber: textField("Its part number."),
    formFactor: textField("Its form."),
    sizeBytes: bytes("Its size."),
    speedMHz: count("Its clock."),
  },
  { description: "A module." },
);

const blockDevice = object(
  {
    ...device,
    status,
    name: textField("Its name."),
    controllerType: textField("Kind of its controller."),
    driveType: textField("Kind of drive."),
    smartStatus: textField("What SMART says of it."),
    wwn: textField("Its world-wide name."),
    sizeBytes: bytes("Its size."),
    physicalBlockSizeBytes: bytes("Size of its blocks."),
  },
  { description: "A block device." },
);

const identity = {
  collectionMethod: textField("How it was collected."),
  lastUpdated: optional(time({ description: "When it was collected." })),
  chassis: optional(object({ ...model, serialNumber }, { description: "The chassis." })),
  product: optional(
    object(
      { ...model, serialNumber, status, name: textField("Its name.") },
      {
        description: "The product.",
      },
    ),
  ),
  baseboard: optional(object({ ...device, status, description }, { description: "The base board." })),
  bios: optional(
    object({ ...device, status, releaseDate: textField("When it was released.") }, { description: "The BIOS." }),
  ),
  bmc: optional(
    object({ ...device, status, nic: optional(networkCard("Its network card.")) }, { description: "The BMC." }),
  ),
};

const processing = {
  cpu: optional(
    object(
      {
        sockets: many(socket, "The processors."),
        totalCores: count("Cores of all."),
        totalThreads: count("Threads of all."),
      },
      { description: "The processors." },
    ),
  ),
  memory: optional(
    object(
      {
        modules: many(memoryModule, "The modules."),
        totalBytes: bytes("Size of all."),
        usableBytes: bytes("What a system can use."),
      },
      { description: "The memory." },
    ),
  ),
};

const devices = {
  blockDevices: many(blockDevice, "The block devices."),
  networkInterfaces: many(networkCard("A network card."), "The network cards."),
  pciDevices: many(
    object(
      { ...model, class: textField("Its class."), driver: textField("Its driver.") },
      {
        description: "A PCI device.",
      },
    ),
    "The PCI devices.",
  ),
  gpuDevices: many(
    object(
      { ...device, status, description, class: textField("Its class."), driver: textField("Its driver.") },
      { description: "A graphics device." },
    ),
    "The graphics devices.",
  ),
  psus: many(
    object(
      { ...device, status, description, powerCapacityWatts: bytes("Its power.") },
      {
        description: "A power supply.",
      },
    ),
    "The power supplies.",
  ),
  storageControllers: many(
    object({ ...device, status, description }, { description: "A storage controller." }),
    "The storage controllers.",
  ),
  tpms: many(
    object({ ...device, status, interfaceType: textField("Its interface.") }, { description: "A TPM." }),
    "The TPMs.",
  ),
};

/** Returns the schema of the components that board management found in a machine. */
export const inventory = () =>
  object({ ...identity, ...processing, ...devices }, { description: "What the board management found." });
