"""A bot for Discord that answers interactions over HTTP, without a gateway connection.

`signatures` knows what comes from Discord, `commands` makes slash commands of games' fields,
`messages` puts a roll into what Discord shows, and `interactions` answers the requests. `app`
serves it all, `sending` is what goes to Discord, and `feeds` post to channels what is rolled on
phones. Needs the extra `discord`: pip install 'rollwright[discord]'.
"""
