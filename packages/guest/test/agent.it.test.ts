import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { createGuestHost } from "../src/index.ts";

const userData = Buffer.from(`#cloud-config
runcmd:
  - echo hello
  - kubeadm init --config /none && echo success > /run/done
`).toString("base64");

const booting = (id: string) => ({
  id,
  metadata: { label: id },
  userData,
  address: "127.0.0.1",
  providerID: `acme://${id}`,
});

it("runs a script while the machine boots, and sees what bootstrapping leaves", async () => {
  const clock = fakeClock();
  const host = createGuestHost({ clock, random: seededRandom(1), lenient: true });
  const boot = host.boot(booting("7"));
  await clock.advance(1);
  const finished = "/var/lib/cloud/instance/boot-finished";
  const script = `timeout 60 sh -c 'until test -e /run/done || test -e ${finished}; do sleep 5; done'; test -e /run/done || { tail -c 4000 /var/log/cloud-init-output.log; false; }`;
  const run = host.run("7", script);
  let result: Awaited<typeof run>;
  void run.then((value) => (result = value));
  await clock.advanceUntil(() => result !== undefined);
  await boot;
  expect(await host.run("7", `test -e ${finished}`)).toMatchObject({ exitCode: 0 });
  expect(await host.run("7", `test -e ${finished}`, { hidden: [finished] })).toMatchObject({ exitCode: 1 });
  expect(await host.run("7", "test -e /var/log/cloud-init-output.log", { blank: true })).toMatchObject({ exitCode: 1 });
  expect(result?.exitCode).toBe(1);
  expect(result?.stdout).toMatch(/hello[^]*kubeadm: error execution phase/);
  // What the agent runs is not on the machine's console, nor in cloud-init's log.
  expect(host.console("7")).not.toContain("until");
  await host.stop();
});

it("answers nothing for machines that are not there, or go", async () => {
  const clock = fakeClock();
  const host = createGuestHost({ clock, random: seededRandom(1), lenient: true });
  expect(await host.run("7", "true")).toBeUndefined();
  const boot = host.boot(booting("7"));
  await clock.advance(1);
  const early = host.run("7", "true");
  const off = host.shutdown("7");
  expect(await early).toBeUndefined();
  await Promise.all([boot, off]);
  await host.stop();
});
