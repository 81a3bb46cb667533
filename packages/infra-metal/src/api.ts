export { ElementalCluster, ElementalClusterTemplate } from "./elemental/api/elemental-cluster.v1beta1.ts";
export { ElementalHost } from "./elemental/api/elemental-host.v1beta1.ts";
export { ElementalMachine, ElementalMachineTemplate } from "./elemental/api/elemental-machine.v1beta1.ts";
export { ElementalRegistration } from "./elemental/api/elemental-registration.v1beta1.ts";
export { TinkerbellCluster } from "./tinkerbell/api/tinkerbell-cluster.v1beta1.ts";
export { TinkerbellMachine } from "./tinkerbell/api/tinkerbell-machine.v1beta1.ts";
export { TinkerbellMachineTemplate } from "./tinkerbell/api/tinkerbell-machine-template.v1beta1.ts";
