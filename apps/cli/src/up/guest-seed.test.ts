import { expect, it } from "vitest";
import { guestSeed } from "./guest-seed.ts";

it("gives the machines of a cloud further images and addresses, and the cloud the rest", () => {
  const seed = {
    token: "secret",
    guest: {
      images: [{ names: ["mine"], system: "debian", release: 12, programs: { kubeadm: "v1.35.4" } }],
      internet: [{ url: "https://example.com/install.sh", content: "#!/bin/sh\n" }],
    },
  };
  const { images, internet, rest } = guestSeed(seed);
  expect(images).toEqual([{ names: ["mine"], system: "debian", release: "12", programs: { kubeadm: "v1.35.4" } }]);
  expect(internet[0]?.urls).toEqual(["https://example.com/install.sh"]);
  expect(internet[0]?.answer(new URL("https://example.com/install.sh"))).toBe("#!/bin/sh\n");
  expect(rest).toEqual({ token: "secret" });
  expect(guestSeed({ guest: {} }).rest).toBeUndefined();
  expect(guestSeed([1]).rest).toEqual([1]);
});

it.each([
  [{ images: "mine" }, "guest.images is not a list"],
  [{ images: [{ names: ["mine"] }] }, "guest.images[0] requires names, system and release"],
  [{ internet: [{ url: "example.com", content: "" }] }, "guest.internet[0] requires url and content"],
])("says what is wrong with %j", (guest, message) => {
  expect(() => guestSeed({ guest })).toThrow(message);
});
