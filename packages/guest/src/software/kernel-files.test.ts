import { expect, it } from "vitest";
import { Disk } from "../boot/disk.ts";
import { kernelFiles, settingOf } from "./kernel-files.ts";
import { newSoftware } from "./machine-software.ts";

it("settings of the kernel are files, which may be written; those of a module are there with it", () => {
  const disk = new Disk();
  const software = newSoftware(disk);
  disk.showKernel(kernelFiles(software));
  const [forwarding, bridges] = ["/proc/sys/net/ipv4/ip_forward", "/proc/sys/net/bridge/bridge-nf-call-iptables"];
  expect([disk.text(forwarding), disk.text(bridges), disk.text("/proc/nothing")]).toEqual([
    "0\n",
    undefined,
    undefined,
  ]);
  disk.write(forwarding, "1\n");
  disk.write(bridges, "0");
  expect(settingOf(software, "net.ipv4.ip_forward")).toBe("1");
  disk.write("/proc/sys/net/ipv6/conf/all/forwarding", "1");
  expect(settingOf(software, "net.ipv6.conf.default.forwarding"), "of interfaces to come, too").toBe("1");
  software.modules.add("br_netfilter");
  expect(disk.text(bridges)).toBe("1\n");
  expect(disk.text("/proc/swaps")?.trim().split("\n")).toHaveLength(1);
  software.swap = true;
  expect(disk.text("/proc/swaps")?.trim().split("\n")).toHaveLength(2);
  expect(disk.paths()).toEqual([]);
});
