import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { invalid } from "@capstan/kit/admission";
import { askLinode } from "./catalogue-checks.ts";

const machine = { apiVersion: "v1", kind: "LinodeMachine", metadata: { name: "web", namespace: "default" } };
const nothing = { find: () => Promise.resolve(undefined) };

it("holds nothing against an object while Linode does not answer", async () => {
  const silent = createServer(() => undefined);
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  let asked = false;
  const causes = await askLinode(
    { connect: () => ({}) as never, object: machine, ref: undefined },
    nothing,
    async (_, { signal }) => {
      asked = true;
      await fetch(url, signal === undefined ? {} : { signal });
      return [invalid("spec.region", "moon", "there is no such region")];
    },
    50,
  );
  expect(asked).toBe(true);
  expect(causes).toEqual([]);
  silent.close();
  silent.closeAllConnections();
});
