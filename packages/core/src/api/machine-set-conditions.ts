import { conditionTable, replicasConditions } from "@capstan/contract/wire";

/** The conditions of a MachineSet. */
export const machineSetConditions = conditionTable({
  ...replicasConditions,
  machinesReady: { ...replicasConditions.machinesReady, v1beta1Place: 3 },
  machinesCreated: {
    type: "MachinesCreated",
    only: "v1beta1",
    v1beta1: "MachinesCreated",
    v1beta1Place: 1,
    about: "Every Machine that is missing has been created.",
  },
  resized: {
    type: "Resized",
    only: "v1beta1",
    v1beta1: "Resized",
    v1beta1Place: 2,
    about: "The last change of the size is complete.",
  },
  ready: { type: "Ready", only: "v1beta1", v1beta1: "Ready", about: "All conditions that count towards it are True." },
});
