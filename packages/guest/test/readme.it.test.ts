import { createGuestHost } from "@capstan/guest";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { expect, it } from "vitest";

it("the README's machine says hello", async () => {
  const guests = createGuestHost({ clock: systemClock, random: cryptoRandom });
  await guests.boot({
    id: "7",
    metadata: { label: "worker-0", "local-hostname": "worker-0" },
    userData: Buffer.from("#cloud-config\nruncmd: [echo hello]\n").toString("base64"),
    address: "127.0.0.1",
    providerID: "example://7",
  });
  const printed = guests.console("7");
  expect(printed).toContain("hello");
  await guests.shutdown("7");
});
