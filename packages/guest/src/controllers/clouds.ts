import type { CloudDutyV1, GuestCloudV1, GuestContainerV1, GuestWayV1 } from "@capstan/contract/v1";
import type { Cache } from "@capstan/kube";
import { isReady } from "../kinds/pod-state.ts";
import { Pod, type Container, type PodObject } from "../kinds/workload-kinds.ts";

/** A controller of a cloud that runs in a cluster. */
export interface RunningController {
  readonly cloud: GuestCloudV1;
  readonly duties: readonly CloudDutyV1[];
  /** The Node that it runs on. */
  readonly node: string;
  readonly cluster: string;
  readonly pod: PodObject;
  readonly container: Container;
}

/** The image of a container, and its program with arguments. */
export const commandOf = ({ args = [], command = [], image }: Container): GuestContainerV1 => ({
  image,
  command: [...command, ...args],
});

const clusterOf = ({ command }: GuestContainerV1): string =>
  command.find((argument) => argument.startsWith("--cluster-name="))?.split("=", 2)[1] ?? "kubernetes";

/** The simulated clouds whose controllers may run in a cluster. */
export class Clouds {
  readonly #all: GuestCloudV1[] = [];

  connect(cloud: GuestCloudV1): void {
    this.#all.push(cloud);
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** The clouds' controllers among the containers of a Pod. */
  controllersIn(pod: PodObject): readonly RunningController[] {
    return pod.spec.containers.flatMap((container) =>
      this.#all.flatMap((cloud) => {
        const command = commandOf(container);
        const duties = cloud.controller(command);
        if (duties === undefined) return [];
        return [{ cloud, duties, node: pod.spec.nodeName ?? "", cluster: clusterOf(command), pod, container }];
      }),
    );
  }

  /** Those that run. */
  running(cache: Cache): readonly RunningController[] {
    return cache.list(Pod).flatMap((pod) => {
      const runs = isReady(pod) && pod.metadata.deletionTimestamp === undefined;
      return runs ? this.controllersIn(pod) : [];
    });
  }

  /** Returns whether the networks and firewalls of all of them let a connection through. */
  pass(way: GuestWayV1): boolean {
    return this.#all.every((cloud) => cloud.passes?.(way) ?? true);
  }

  /** The cloud that a container is a controller of. */
  cloudOf(container: GuestContainerV1): GuestCloudV1 | undefined {
    return this.#all.find((cloud) => cloud.controller(container) !== undefined);
  }
}
