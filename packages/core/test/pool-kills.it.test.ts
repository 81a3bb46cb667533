import { testPoolKills } from "./pool-kills.ts";

testPoolKills({ every: 31 });
