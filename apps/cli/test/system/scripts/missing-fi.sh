#!/bin/bash
echo before
if [ -f /x ]; then
  echo inside
