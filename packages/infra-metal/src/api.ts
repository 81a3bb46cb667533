export { TinkerbellCluster } from "./api/tinkerbell-cluster.v1beta1.ts";
export { TinkerbellMachine } from "./api/tinkerbell-machine.v1beta1.ts";
export { TinkerbellMachineTemplate } from "./api/tinkerbell-machine-template.v1beta1.ts";
