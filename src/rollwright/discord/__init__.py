"""A bot for Discord that answers interactions over HTTP, without a gateway connection.

`signatures` knows what comes from Discord, `commands` makes slash commands of games' fields,
`messages` puts a roll into what Discord shows, and `interactions` says what is asked for. `app`
serves it all, `sending` is what goes to Discord, and `feeds` tell channels what is rolled on
phones. Needs the extra `discord`: pip install 'rollwright[discord]'.
"""
