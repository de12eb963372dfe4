app_name = "kingdom"
urlpatterns = []
