import type { GuestImage } from "./guest-image.ts";

/** The systems that clouds offer and people download, with nothing of Kubernetes on them. The first that fits is taken. */
export const stockImages: readonly GuestImage[] = [
  {
    names: [
      "linode/ubuntu24.04*",
      "canonical:ubuntu-24_04*",
      "canonical:*ubuntu*noble*",
      "*ubuntu*24?04*",
      "*ubuntu*2404*",
      "*noble*",
    ],
    system: "ubuntu",
    release: "24.04",
  },
  {
    names: ["linode/ubuntu20.04*", "canonical:*focal*", "*ubuntu*20?04*", "*ubuntu*2004*", "*focal*"],
    system: "ubuntu",
    release: "20.04",
  },
  {
    names: ["linode/ubuntu26.04*", "canonical:ubuntu-26_04*", "*ubuntu*26?04*", "*ubuntu*2604*"],
    system: "ubuntu",
    release: "26.04",
  },
  { names: ["linode/ubuntu22.04*", "canonical:*jammy*", "*ubuntu*"], system: "ubuntu", release: "22.04" },
  { names: ["linode/debian13*", "debian:debian-13*", "*debian*13*", "*trixie*"], system: "debian", release: "13" },
  { names: ["linode/debian11*", "debian:debian-11*", "*debian*11*", "*bullseye*"], system: "debian", release: "11" },
  { names: ["linode/debian12*", "debian:debian-12*", "*debian*"], system: "debian", release: "12" },
  { names: ["linode/almalinux8*", "*almalinux*8*"], system: "almalinux", release: "8" },
  { names: ["linode/almalinux*", "*almalinux*"], system: "almalinux", release: "9" },
  { names: ["linode/rocky8*"], system: "rocky", release: "8" },
  { names: ["linode/rocky*", "*rocky*"], system: "rocky", release: "9" },
  { names: ["linode/centos-stream*", "*centos*"], system: "centos", release: "9" },
  { names: ["redhat:rhel:*", "*rhel*"], system: "rhel", release: "9" },
  { names: ["linode/fedora*", "*fedora*"], system: "fedora", release: "42" },
  { names: ["linode/opensuse*", "*opensuse*"], system: "opensuse-leap", release: "15.6" },
  { names: ["suse:*", "*sles*"], system: "sles", release: "15" },
];
