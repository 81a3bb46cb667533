import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { createManager, systemClock } from "@capstan/runtime";
import { crdOf } from "@capstan/schema";
import { Greeting, greetingController } from "./greeting-controller.ts";

/** Installs the definition and runs the controller until the signal, or until the manager loses its lease. */
export const runGreetings = async (kubeconfig: string, signal: AbortSignal): Promise<void> => {
  const access = await loadKubeconfig({ file: kubeconfig });
  const connection = connect({ access, clock: systemClock });
  const definition = crdOf(Greeting);
  const apply = { type: "apply", body: definition, force: true } as const;
  const { name } = definition.metadata;
  await createClient(connection).patch(CustomResourceDefinitionResource, { name }, apply, {
    fieldManager: "greetings",
  });
  const manager = createManager({ connection, leaderElection: { namespace: "default", name: "greetings" } });
  manager.add(greetingController);
  await manager.run({ signal });
  await connection.close();
};
