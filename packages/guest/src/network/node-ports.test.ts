import { once } from "node:events";
import type { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { NodePorts } from "./node-ports.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "etcd-a" }, spec: { nodeName: "a" } };

it("closes the listener's side of a connection with the caller's", async () => {
  const ports = new NodePorts();
  const accepted: Duplex[] = [];
  ports.listen("a", 2379, (connection) => accepted.push(connection));
  const here = await ports.connect(pod, 2379);
  const [there] = accepted;
  here.destroy();
  await once(there!, "close");
  expect(there?.destroyed).toBe(true);
});
