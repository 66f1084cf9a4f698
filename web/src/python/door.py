"""The browser's door to the library; whatever answers a question is loaded before the first one."""

from rollwright.workbench import reply as reply

reply("program", '{"text": "2d6"}')
